/** JSON text to answer with. */
export interface JsonAnswer {
  json: string;
  headers?: Readonly<Record<string, string>>;
  /** Whether many calls get this text with these headers, so that it pays to prepare the response. */
  shared?: boolean;
}
