/** What a test does around a commit of the wrapped KV. */
export type AroundCommit = (
  commit: () => Promise<Deno.KvCommitResult | Deno.KvCommitError>,
) => Promise<Deno.KvCommitResult | Deno.KvCommitError>;

/** A real KV whose atomic commits go through `around`, to make engines fail as real ones do. */
export function faultyKv(kv: Deno.Kv, around: AroundCommit): Deno.Kv {
  return new Proxy(kv, {
    get(target, name) {
      if (name === "atomic") {
        return () => {
          const atomic = target.atomic();
          const commit = atomic.commit.bind(atomic);
          atomic.commit = () => around(commit);
          return atomic;
        };
      }
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
