/** Looks members up by names from outside. @module */

/**
 * Gives a member of an object by a name from a caller, a file or a server. Plain brackets would also find what every
 * object inherits, such as `constructor`.
 */
export function ownMember<Value>(
  object: { readonly [name: string]: Value },
  name: string,
): Value | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
