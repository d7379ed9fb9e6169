/**
 * Reads the operators and their keys. No error message quotes a part of the variables, because any part may be a key in
 * the wrong place. @module
 */
import { type Role, ROLES } from "../../shared/roles.ts";

/** How many characters a key must have at least. */
const MIN_KEY_LENGTH = 32;

/**
 * How many different characters a key must have at least. Nearly every random key of 32 characters has more of them.
 */
const MIN_DISTINCT_CHARACTERS = 10;

/** An operator of the configuration. */
export interface Operator {
  /** The name of the operator in the audit log. */
  name: string;
  role: Role;
  key: string;
}

/** Reads `OPERATOR_KEY`. The operator with this key gets the name `operator`. */
export function parseOperatorKey(text: string): Operator {
  return { name: "operator", role: "operator", key: parseKey(text) };
}

/** Reads `OPERATOR_KEYS`: pairs `name=key` or `name:role=key`, separated by spaces. A key may have `=` in it. */
export function parseOperatorKeys(text: string): Operator[] {
  const operators = text.split(/\s+/).filter((pair) => pair !== "").map(parsePair);
  const repeated = findRepeatedMember(operators);
  if (repeated) {
    throw new Error(
      `has the same ${repeated} twice; give each operator a name and a key of their own`,
    );
  }
  return operators;
}

function parsePair(pair: string, index: number): Operator {
  const pairName = `pair ${index + 1} of name and key`;
  const { name, roleName = "operator", key } =
    /^(?<name>[a-z0-9_-]{1,40})(?::(?<roleName>[^=]*))?=(?<key>.*)$/.exec(pair)?.groups ?? {};
  if (name === undefined || key === undefined) {
    throw new Error(
      `has ${pairName} without a name of 1 to 40 characters a-z, 0-9, _ and - before a =`,
    );
  }
  const role = ROLES.find((role) => role === roleName);
  if (!role) throw new Error(`has ${pairName} with a role that is not one of ${ROLES.join(", ")}`);
  if (/,[a-z0-9_-]{1,40}(:[a-z]*)?=./.test(key)) {
    throw new Error(
      `has ${pairName}, in which a comma begins another pair; separate pairs by spaces`,
    );
  }
  try {
    return { name, role, key: parseKey(key) };
  } catch (error) {
    throw new Error(`has ${pairName}, whose key ${(error as Error).message}`);
  }
}

function parseKey(text: string): string {
  if (text.length < MIN_KEY_LENGTH) {
    throw new Error(`has ${text.length} characters; it needs ${MIN_KEY_LENGTH} or more`);
  }
  const distinctCount = new Set(text).size;
  if (distinctCount < MIN_DISTINCT_CHARACTERS) {
    const characters = distinctCount === 1 ? "character" : "characters";
    throw new Error(
      `has ${distinctCount} distinct ${characters}; it needs ${MIN_DISTINCT_CHARACTERS} or more, ` +
        "so that it is hard to guess",
    );
  }
  if (!/^[\x21-\x7e]+$/.test(text)) {
    throw new Error("has a character that no HTTP header can carry; use visible ASCII");
  }
  return text;
}

/** Gives `name` if two operators have the same name, or else `key` if two have the same key, or else `undefined`. */
export function findRepeatedMember(operators: Operator[]): "name" | "key" | undefined {
  return (["name", "key"] as const).find((member) => {
    const distinctValues = new Set(operators.map((operator) => operator[member]));
    return distinctValues.size < operators.length;
  });
}
