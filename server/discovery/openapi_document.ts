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
  const text = JSON.stringify(template)
    .replaceAll("https://waitlist.example", baseUrl)
    .replaceAll("waitlist-web", service)
    .replaceAll("sandbox-public-client", sandboxClient);
  const document = JSON.parse(text);
  document.info.contact = contact.startsWith("mailto:")
    ? { email: new URL(contact).pathname }
    : { url: contact };
  return document;
}
