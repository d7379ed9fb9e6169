/** What a plain-text answer may say besides its text. */
export interface PlainTextOptions {
  status: number;
  headers?: Record<string, string>;
}

/** Makes an answer of one line of plain text, which no cache keeps; HEAD gets its headers alone. */
export function plainText(
  request: Request,
  line: string,
  { status, headers }: PlainTextOptions,
): Response {
  const bytes = new TextEncoder().encode(`${line}\n`);
  return new Response(request.method === "HEAD" ? null : bytes, {
    status,
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      // Without it, the server would declare the length of a HEAD's empty body (RFC 9110 §8.6).
      "Content-Length": String(bytes.byteLength),
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      ...headers,
    },
  });
}
