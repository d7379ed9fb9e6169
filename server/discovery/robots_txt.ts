/** `/robots.txt` (RFC 9309): everything may be read, by agents that look for the API too. */
export function robotsTxt(baseUrl: string): string {
  return `User-agent: *\nAllow: /\n\nSitemap: ${baseUrl}/sitemap.xml\n`;
}
