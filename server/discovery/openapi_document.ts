import template from "../../shared/generated/public.json" with { type: "json" };

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
    document.components.schemas[schema].properties.service.const = options.service;
  }
  return document;
}

function contactObject({ contact, siteName }: OpenApiOptions) {
  const address = contact.startsWith("mailto:")
    ? { email: decodeURIComponent(new URL(contact).pathname) }
    : { url: contact };
  return { name: siteName, ...address };
}
