import template from "../../shared/generated/public.json" with { type: "json" };

/** What of the OpenAPI document depends on where and how the service runs. */
export interface OpenApiOptions {
  /** The public origin, `{base_url}`. */
  baseUrl: string;
  /** `mailto:` or `https:` address. */
  contact: string;
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
  const { baseUrl, contact, service, sandboxClient } = options;
  const own: Record<string, string> = {
    "https://waitlist.example": baseUrl,
    "waitlist-web": service,
    "sandbox-public-client": sandboxClient,
  };
  // In one pass, so that no replacement is made within another, as in a base URL with such a name.
  const text = JSON.stringify(template).replaceAll(
    /https:\/\/waitlist\.example|waitlist-web|sandbox-public-client/g,
    (written) => own[written] ?? written,
  );
  const document = JSON.parse(text);
  document.info.contact = contact.startsWith("mailto:")
    ? { email: new URL(contact).pathname }
    : { url: contact };
  return document;
}
