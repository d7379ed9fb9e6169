/** The text files that crawlers and agents request at fixed paths, such as `/robots.txt`. @module */
import type { DescribedEnvironment } from "../config/mod.ts";
import { escapeHtml, type ListedPage } from "../content/mod.ts";
import { DAY } from "../runtime/mod.ts";

/**
 * What crawlers may do with the pages (contentsignals.org). Search and answers are allowed, because they bring people
 * to the list. The training of models is not allowed, because it brings nobody. Besides, this permission could not be
 * taken back, so only the company can decide to give it.
 */
const CONTENT_SIGNAL = "search=yes, ai-input=yes, ai-train=no";

/** How long `security.txt` is valid, in days. RFC 9116 §2.5.5 recommends less than a year. */
const SECURITY_TXT_DAYS = 180;

/** Returns `/robots.txt` (RFC 9309), which allows crawlers and agents to read everything. */
export function robotsTxt(baseUrl: string): string {
  return `User-agent: *
Content-Signal: ${CONTENT_SIGNAL}
Allow: /

Sitemap: ${baseUrl}/sitemap.xml
`;
}

/** Returns `/sitemap.xml` (sitemaps.org 0.9): the pages that search engines may list, with their translations. */
export function sitemapXml(baseUrl: string, pages: ListedPage[]): string {
  const urlOf = (path: string) => escapeHtml(new URL(path, baseUrl).href);
  const urls = pages.filter(({ indexed }) => indexed).map(({ path, alternates }) => {
    const links = alternates.map(({ lang, path }) =>
      `    <xhtml:link rel="alternate" hreflang="${lang}" href="${urlOf(path)}"/>\n`
    );
    return `  <url>\n    <loc>${urlOf(path)}</loc>\n${links.join("")}  </url>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${urls.join("")}</urlset>
`;
}

/**
 * Returns `/.well-known/security.txt` (RFC 9116). The expiry changes only at midnight (UTC), so that the file and its
 * `ETag` stay the same for a day.
 *
 * @param now the present moment, in milliseconds since 1970
 */
export function securityTxt(
  { baseUrl, contact, now }: { baseUrl: string; contact: string; now: number },
): string {
  const expires = new Date((Math.floor(now / DAY) + SECURITY_TXT_DAYS) * DAY);
  return `Contact: ${contact}
Expires: ${expires.toISOString()}
Preferred-Languages: en, de
Canonical: ${baseUrl}/.well-known/security.txt
`;
}

/** What {@linkcode llmsTxt} needs. */
export interface LlmsTxtOptions {
  siteName: string;
  production: DescribedEnvironment;
  sandbox: DescribedEnvironment;
  sandboxClient: string;
  pages: ListedPage[];
}

/**
 * Returns `/llms.txt` (llmstxt.org): links, each with its purpose, and examples of the three calls, to the sandbox. An
 * agent can make these calls without reading the whole API reference.
 */
export function llmsTxt(options: LlmsTxtOptions): string {
  const { siteName, production, sandbox, sandboxClient, pages } = options;
  const { urls } = production;
  const mainLanguage = pages.find(({ path }) => path === "/")?.lang;
  const linksTo = (listedPages: ListedPage[]) =>
    listedPages.map(({ title, markdownPath, description }) =>
      link(title, new URL(markdownPath, urls.base).href, description)
    );
  const indexedPages = pages.filter(({ indexed }) => indexed);
  const pageLinks = linksTo(indexedPages.filter(({ lang }) => lang === mainLanguage));
  const translatedPageLinks = linksTo(indexedPages.filter(({ lang }) => lang !== mainLanguage));
  const apiLinks = [
    link("API reference", `${urls.openapi}.md`, "every operation, in Markdown, with curl examples"),
    link("OpenAPI document", urls.openapi, "the same as OpenAPI 3.1, in JSON"),
    link("Index", urls.index, "the addresses of all operations and documents, no token needed"),
    link("Status", urls.status, "says whether the service is up"),
    link("Sandbox index", sandbox.urls.index, "the same for the sandbox"),
  ];
  const discoveryDocumentLinks = [
    link("API catalog", urls.apiCatalog, "RFC 9727, both environments"),
    link("Authorization server", urls.authorizationServer, "RFC 8414 metadata"),
    link("Protected resource", urls.protectedResource, "RFC 9728 metadata"),
    link("Authorization server, sandbox", sandbox.urls.authorizationServer, "RFC 8414 metadata"),
    link("Protected resource, sandbox", sandbox.urls.protectedResource, "RFC 9728 metadata"),
  ];
  return `# ${siteName}

> The early-access waitlist of ${siteName}: a sign-up, a status probe and, with an OAuth 2.0 access
> token, aggregate statistics. The API covers the waitlist only.

Three calls are the whole API. These go to the sandbox, which has the same contract as production,
stores nothing and has public credentials:

\`\`\`sh
# Sign an address up. Production has the path without /sandbox.
curl -s ${sandbox.urls.waitlist} -H 'Content-Type: application/json' \\
  -d '{"email": "ada@example.com", "consent": true}'
# Get an access token, which is valid for 900 seconds.
TOKEN=$(curl -s ${sandbox.urls.token} -u ${sandboxClient}:${sandboxClient} \\
  -d grant_type=client_credentials | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
# Read the statistics.
curl -s ${sandbox.urls.stats} -H "Authorization: Bearer $TOKEN"
\`\`\`

A sign-up also takes \`lang\` (\`en\` or \`de\`) and \`source\` (\`hero\` or \`cta\`), and no other field. Submit an
address only with the explicit consent of its owner. The operator issues production credentials on
request. An error is \`{"error", "message"}\`; after a 429, wait as \`Retry-After\` says. The links to pages
lead to their Markdown; a page's own address answers it to \`Accept: text/markdown\`.

## API

${apiLinks.join("\n")}

## Discovery

${discoveryDocumentLinks.join("\n")}

## Pages

${pageLinks.join("\n")}

## Optional

${translatedPageLinks.join("\n")}
`;
}

/** Makes a list item with a link, in Markdown. */
function link(title: string, url: string, notes: string): string {
  return `- [${title.replace(/[[\]\\]/g, "\\$&")}](${url}): ${notes}`;
}
