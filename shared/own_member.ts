/**
 * Returns a member of an object by a name from a caller, a file or a server; `undefined` if there is none. Plain brackets
 * would also find the inherited members of every object, such as `constructor`.
 */
export function ownMember<Value>(
  object: { readonly [name: string]: Value },
  name: string,
): Value | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
