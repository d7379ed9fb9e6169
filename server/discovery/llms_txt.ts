import type { Environment } from "../environment.ts";
import type { ListedPage } from "../http/listed_page.ts";

/** What `/llms.txt` is made of. */
export interface LlmsTxtOptions {
  siteName: string;
  production: Environment;
  sandbox: Environment;
  pages: ListedPage[];
}

/** `/llms.txt` (llmstxt.org): a summary, then lists of links with what each is good for. */
export function llmsTxt({ siteName, production, sandbox, pages }: LlmsTxtOptions): string {
  const { urls } = production;
  const mainLanguage = pages.find(({ path }) => path === "/")?.lang;
  const listed = pages.filter(({ indexed }) => indexed);
  const links = (pages: ListedPage[]) =>
    pages.map((page) => link(page.title, new URL(page.path, urls.base).href, page.description))
      .join("\n");
  return `# ${siteName}

> The early-access waitlist of ${siteName}: a sign-up, a status probe and, with an OAuth 2.0 access
> token, aggregate statistics. There is no other public API; in particular none of the company's
> platform.

Submit an address only with the explicit consent of its owner. To try the API, use the sandbox at
${sandbox.urls.index}: it has the same contract, stores nothing, and its credentials are public
(\`x-sandbox-client\` in the OpenAPI document). Pages answer Markdown to \`Accept: text/markdown\`.

## API

${
    [
      link(
        "API reference",
        `${urls.openapi}.md`,
        "every operation, in Markdown, with curl examples",
      ),
      link("OpenAPI document", urls.openapi, "the same as OpenAPI 3.1, in JSON"),
      link("Index", urls.index, "the addresses of all operations and documents, no token needed"),
      link("Status", urls.status, "says whether the service is up"),
      link("Sandbox index", sandbox.urls.index, "the same for the sandbox"),
    ].join("\n")
  }

## Discovery

${
    [
      link("API catalog", urls.apiCatalog, "RFC 9727, both environments"),
      link("Authorization server", urls.authorizationServer, "RFC 8414 metadata"),
      link("Protected resource", urls.protectedResource, "RFC 9728 metadata"),
      link("Authorization server, sandbox", sandbox.urls.authorizationServer, "RFC 8414 metadata"),
      link("Protected resource, sandbox", sandbox.urls.protectedResource, "RFC 9728 metadata"),
    ].join("\n")
  }

## Pages

${links(listed.filter(({ lang }) => lang === mainLanguage))}

## Optional

${links(listed.filter(({ lang }) => lang !== mainLanguage))}
`;
}

function link(title: string, url: string, notes: string): string {
  return `- [${title.replace(/[[\]\\]/g, "\\$&")}](${url}): ${notes}`;
}
