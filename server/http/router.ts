/** Finds the operations at a path, by the path templates in an OpenAPI document. @module */
import type { AnyFailure, Operation } from "./operation.ts";
import type { RouteInfo } from "./respond.ts";

/** The `paths` of an OpenAPI document: the operations by path and method. GET includes HEAD. */
export type Paths = Readonly<
  Record<string, { get?: { operationId: string }; post?: { operationId: string } }>
>;

/** What {@linkcode createRouter} needs. */
export interface RouterOptions<Failure extends AnyFailure> {
  /** The name of the surface in the log, such as `sandbox` in `sandbox.getStatus`. */
  name: string;
  paths: Paths;
  /** The text that the surface puts in front of all paths of the document, such as `/sandbox`. */
  pathPrefix?: string;
  /** The operations by their ids. */
  operations: Readonly<Record<string, Operation<Failure>>>;
}

/** An operation at one path, with its id. */
interface RoutedOperation<Failure extends AnyFailure> {
  id: string;
  operation: Operation<Failure>;
  routeInfo: RouteInfo;
}

/** The operations at one path. */
export interface Route<Failure extends AnyFailure> {
  operationsByMethod: Map<string, RoutedOperation<Failure>>;
  /**
   * The `RouteInfo` of answers to methods that the path does not accept. If the path has only one operation, it is the
   * `RouteInfo` of this operation.
   */
  routeInfo: RouteInfo;
  /** The accepted methods, as the value of the header `Allow`. */
  allow: string;
  /** The values of the parameters in the path, as they are in the URL (not decoded). */
  parameters: Readonly<Record<string, string>>;
}

/**
 * Makes the function that finds the route of a path. A path must match a template byte for byte, except that `{name}`
 * matches any segment.
 */
export function createRouter<Failure extends AnyFailure>(
  { name, paths, pathPrefix = "", operations }: RouterOptions<Failure>,
): (path: string) => Route<Failure> | undefined {
  const exactRoutes = new Map<string, Route<Failure>>();
  const patternRoutes: { pattern: RegExp; route: Route<Failure> }[] = [];

  function makeRoute(template: string, methods: Paths[string]): Route<Failure> {
    const operationsByMethod: Route<Failure>["operationsByMethod"] = new Map();
    for (const method of ["get", "post"] as const) {
      const id = methods[method]?.operationId;
      if (id === undefined) continue;
      const operation = operations[id]!;
      const { headers } = operation;
      const routeInfo = { label: `${name}.${id}`, template, ...(headers && { headers }) };
      const routedOperation = { id, operation, routeInfo };
      operationsByMethod.set(method.toUpperCase(), routedOperation);
      if (method === "get") operationsByMethod.set("HEAD", routedOperation);
    }
    const [firstOperation, ...otherOperations] = new Set(operationsByMethod.values());
    return {
      operationsByMethod,
      routeInfo: firstOperation && otherOperations.length === 0
        ? firstOperation.routeInfo
        : { label: `${name}.unknown`, template },
      allow: [...operationsByMethod.keys()].join(", "),
      parameters: {},
    };
  }

  for (const [path, methods] of Object.entries(paths)) {
    const template = pathPrefix + path;
    const route = makeRoute(template, methods);
    if (template.includes("{")) patternRoutes.push({ pattern: patternOf(template), route });
    else exactRoutes.set(template, route);
  }
  return (path) => {
    const route = exactRoutes.get(path);
    if (route) return route;
    for (const { pattern, route } of patternRoutes) {
      const match = pattern.exec(path);
      if (match) return { ...route, parameters: { ...match.groups } };
    }
  };
}

/** Makes the pattern of the paths that match a template. */
const patternOf = (template: string): RegExp =>
  new RegExp(`^${template.replaceAll(".", "\\.").replace(/{(\w+)}/g, "(?<$1>[^/]+)")}$`);
