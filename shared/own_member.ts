/**
 * Returns the member of an object with a given name; `undefined` if the object itself has no such member. It is used
 * for names from a caller, a file or a server, because plain brackets would also find the members that every object
 * inherits, such as `constructor`.
 */
export function ownMember<Value>(
  object: { readonly [name: string]: Value },
  name: string,
): Value | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
