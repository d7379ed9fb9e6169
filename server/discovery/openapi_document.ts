import template from "../../shared/generated/public.json" with { type: "json" };

const EMAIL = new RegExp(template.components.schemas.WaitlistSignup.properties.email.pattern);

/** What of the OpenAPI document depends on where and how the service runs. */
export interface OpenApiOptions {
  /** The public origin, `{base_url}`. */
  baseUrl: string;
  /** `mailto:` or `https:` address. */
  contact: string;
  /** Who answers there: the name shown on the pages. */
  siteName: string;
  /** The service's fixed identifier. */
  service: string;
  /** The published sandbox client, id and secret in one. */
  sandboxClient: string;
}

/**
 * The OpenAPI document of the public API with this service's own addresses and names in the place of
 * the ones that `openapi/public.yaml` is written with, in the examples too.
 */
export function openApiDocument(options: OpenApiOptions): typeof template {
  const names: Record<string, string> = {
    "https://waitlist.example": options.baseUrl,
    "waitlist-web": options.service,
    "sandbox-public-client": options.sandboxClient,
  };
  // In one pass, so that no name is looked for inside another that was just put in.
  const anyName = new RegExp(Object.keys(names).join("|").replaceAll(".", "\\."), "g");
  const text = JSON.stringify(template).replace(anyName, (name) => names[name] ?? name);

  const document = JSON.parse(text);
  document.info.contact = contactObject(options);
  for (const schema of ["Status", "ServiceIndex"]) {
    const { properties } = document.components.schemas[schema];
    // The document is written for every service; of one service, the name is all there is to say.
    const { type, description } = properties.service;
    properties.service = { type, const: options.service, description };
  }
  return document;
}

/** An address that JSON Schema's `email` refuses, such as the default one of localhost, is shown as a URL. */
function contactObject({ contact, siteName }: OpenApiOptions) {
  const url = new URL(contact);
  const email = decodeURIComponent(url.pathname);
  const isEmail = url.protocol === "mailto:" && EMAIL.test(email);
  return { name: siteName, ...(isEmail ? { email } : { url: contact }) };
}
