/** JSON text to answer with. */
export interface JsonAnswer {
  /** 200 where it is absent. */
  status?: number;
  json: string;
  headers?: Readonly<Record<string, string>>;
  /**
   * Whether many calls get this answer, so that it pays to prepare the response. On one path, shared
   * answers with the same text have the same status and headers.
   */
  shared?: boolean;
}
