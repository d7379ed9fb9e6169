/** A form's parameters: each name's first value, and the first name that came twice. */
export interface Form {
  values: Map<string, string>;
  repeated?: string;
}

/** Parses `application/x-www-form-urlencoded` text. */
export function parseForm(text: string): Form {
  const form: Form = { values: new Map() };
  // `URLSearchParams` drops a leading `?`, which in a form is part of the first name.
  for (const [name, value] of new URLSearchParams(`&${text}`)) {
    if (form.values.has(name)) form.repeated ??= name;
    else form.values.set(name, value);
  }
  return form;
}
