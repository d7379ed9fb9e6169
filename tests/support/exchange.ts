import type { Exchange } from "../../shared/contract.ts";
import type { TestRequestInit, TestService } from "./service.ts";

/** Sends a request and reads the whole answer. */
export async function send(
  service: TestService,
  path: string,
  init: TestRequestInit = {},
): Promise<Exchange> {
  const response = await service.request(path, init);
  const { status, headers } = response;
  return { method: init.method ?? "GET", path, status, headers, body: await response.text() };
}
