import type { AnyFailure, Operation } from "./operation.ts";
import type { RouteInfo } from "./respond.ts";

/** An operation and what its answers have in common. */
export interface RoutedOperation<Failure extends AnyFailure> {
  operation: Operation<Failure>;
  routeInfo: RouteInfo;
}

/** The operations at a path. */
export interface Route<Failure extends AnyFailure> {
  /** The operations by method; HEAD has the operation of GET. */
  byMethod: ReadonlyMap<string, RoutedOperation<Failure>>;
  /** What answers to methods that are not accepted have in common. */
  routeInfo: RouteInfo;
  /** The accepted methods, as `Allow` lists them. */
  allow: string;
  /** The values of the path's `{…}`, as they were sent. */
  parameters: Readonly<Record<string, string>>;
}

/**
 * Makes the function that finds the operations at a path, which is compared byte for byte.
 *
 * @param surface the name that the log puts before the ids of the operations
 * @returns a function that returns `undefined` where there is nothing at the path
 */
export function createRouter<Failure extends AnyFailure>(
  operations: readonly Operation<Failure>[],
  surface: string,
): (path: string) => Route<Failure> | undefined {
  const plain = new Map<string, Route<Failure>>();
  const patterns: { pattern: RegExp; route: Route<Failure> }[] = [];
  for (const [template, atPath] of Map.groupBy(operations, ({ path }) => path)) {
    const routed = atPath.map((operation) => {
      const { id, headers } = operation;
      return {
        operation,
        routeInfo: { label: `${surface}.${id}`, template, ...(headers && { headers }) },
      };
    });
    const byMethod = new Map<string, RoutedOperation<Failure>>();
    for (const each of routed) {
      byMethod.set(each.operation.method, each);
      if (each.operation.method === "GET") byMethod.set("HEAD", each);
    }
    const route = {
      byMethod,
      routeInfo: routed.length === 1
        ? routed[0]!.routeInfo
        : { label: `${surface}.unknown`, template },
      allow: [...byMethod.keys()].join(", "),
      parameters: {},
    };
    if (template.includes("{")) patterns.push({ pattern: patternOf(template), route });
    else plain.set(template, route);
  }
  return (path) => {
    const route = plain.get(path);
    if (route) return route;
    for (const { pattern, route } of patterns) {
      const match = pattern.exec(path);
      if (match) return { ...route, parameters: { ...match.groups } };
    }
  };
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(".", "\\.").replace(/{(\w+)}/g, "(?<$1>[^/]+)")}$`);
}
