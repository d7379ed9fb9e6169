/** A call that a {@linkcode Receiver} got. */
interface ReceivedCall {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** A server of somebody else's, to which the service sends. */
export type Receiver = ReturnType<typeof listenTo>;

/** Starts a server that notes each call and answers as it is told. */
export function listenTo(answer: (call: ReceivedCall) => Response | Promise<Response>) {
  const received: ReceivedCall[] = [];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      const { method } = request;
      const { pathname: path } = new URL(request.url);
      const headers = Object.fromEntries(request.headers);
      const call = { method, path, headers, body: await request.text() };
      received.push(call);
      return await answer(call);
    },
  );
  return {
    /** `http://127.0.0.1:` and the port. */
    url: `http://127.0.0.1:${server.addr.port}`,
    received,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
