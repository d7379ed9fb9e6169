/**
 * The small faults that a mutant can have: where in a module, and what stands there instead. Also marks the places in a
 * module, so that a run of the tests tells which places ran. @module
 */
import ts from "typescript";

/** A part of a text, in UTF-16 code units. */
interface Span {
  start: number;
  end: number;
}

/** A change of one place in a module. */
export interface Mutant extends Span {
  /** Relative to the project, such as `server/oauth/clients.ts`. */
  path: string;
  line: number;
  /** The text that takes the place. */
  to: string;
  /** The fault in words, such as `< to <=`. */
  fault: string;
  /** The expression that has a wrong value because of the fault. */
  whole: Span;
  /** The statement around the place, on one line; the place is in `⟦` and `⟧`. */
  around: string;
  /** The name of the function, or of the variable of the module, that the place is in. */
  within: string;
}

const OPERATORS = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.LessThanToken, "<="],
  [ts.SyntaxKind.LessThanEqualsToken, "<"],
  [ts.SyntaxKind.GreaterThanToken, ">="],
  [ts.SyntaxKind.GreaterThanEqualsToken, ">"],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, "!=="],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, "==="],
  [ts.SyntaxKind.AmpersandAmpersandToken, "||"],
  [ts.SyntaxKind.BarBarToken, "&&"],
  [ts.SyntaxKind.PlusToken, "-"],
  [ts.SyntaxKind.MinusToken, "+"],
  [ts.SyntaxKind.AsteriskToken, "/"],
]);

/** Lists all mutants of a module, in the order of their places. */
export function mutantsOf(path: string, text: string): Mutant[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];

  const spanOf = (node: ts.Node): Span => ({ start: node.getStart(source), end: node.getEnd() });

  function add(node: ts.Node, to: string, fault: string, whole: ts.Node = node): void {
    const { start, end } = spanOf(node);
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    const statement = spanOf(statementOf(whole));
    const around = [
      text.slice(statement.start, start),
      "⟦",
      text.slice(start, end),
      "⟧",
      text.slice(end, statement.end),
    ].join("").replace(/\s+/g, " ");
    const named = { around, within: nameAround(whole) };
    mutants.push({ path, line, start, end, to, fault, whole: spanOf(whole), ...named });
  }

  function visit(node: ts.Node): void {
    // Types and imports leave nothing to run.
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) {
      const to = OPERATORS.get(node.operatorToken.kind);
      if (to) add(node.operatorToken, to, `${node.operatorToken.getText(source)} to ${to}`, node);
      if (node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) {
        add(node, node.left.getText(source), "no default behind ??");
      }
    }
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      add(node, node.operand.getText(source), "no !");
    }
    if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, "false", "true to false");
    if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, "true", "false to true");
    if (ts.isNumericLiteral(node)) {
      const [number, fault] = [node.getText(source), `${node.getText(source)} plus 1`];
      if (isName(node)) add(node, `[${number} + 1]`, fault, node.parent.parent);
      else add(node, `(${number} + 1)`, fault);
    }
    if (ts.isStringLiteral(node) && node.text !== "" && ts.isReturnStatement(node.parent)) {
      add(node, '""', "an empty text");
    }
    if (ts.isConditionalExpression(node)) {
      const { whenTrue, whenFalse } = node;
      add(node, `(${whenTrue.getText(source)})`, "always the first of ? and :");
      add(node, `(${whenFalse.getText(source)})`, "always the second of ? and :");
    }
    if (ts.isIfStatement(node)) {
      add(node.expression, "true", "if always");
      add(node.expression, "false", "if never");
    }
    if (
      ts.isExpressionStatement(node) &&
      (ts.isCallExpression(node.expression) || ts.isAwaitExpression(node.expression))
    ) {
      add(node, ";", "no call", node.expression);
    }
    ts.forEachChild(node, visit);
  }

  visit(source);
  return mutants;
}

/** Whether a number is the name of a property, as in `{ 404: "not found" }`. */
function isName(node: ts.NumericLiteral): boolean {
  return ts.isPropertyAssignment(node.parent) && node.parent.name === node;
}

/** Finds the smallest statement, property or parameter around a node, or the condition of a statement. */
function statementOf(node: ts.Node): ts.Node {
  for (let found = node;; found = found.parent) {
    if (ts.isPropertyAssignment(found) || ts.isParameter(found) || isStatement(found)) return found;
    if (!found.parent || ts.isSourceFile(found.parent)) return found;
    if (isStatement(found.parent) && hasInnerStatement(found.parent)) return found;
  }
}

function isStatement(node: ts.Node): boolean {
  return ts.isExpressionStatement(node) || ts.isVariableStatement(node) ||
    ts.isPropertyDeclaration(node) || ts.isReturnStatement(node) || ts.isThrowStatement(node) ||
    hasInnerStatement(node);
}

function hasInnerStatement(node: ts.Node): boolean {
  return ts.isIfStatement(node) || ts.isIterationStatement(node, false) ||
    ts.isSwitchStatement(node) || ts.isCaseOrDefaultClause(node) || ts.isBlock(node);
}

/** Finds the name of the nearest function around a node, or that of a variable of the module. */
function nameAround(node: ts.Node): string {
  for (let found = node.parent; found; found = found.parent) {
    if (ts.isFunctionDeclaration(found) || ts.isMethodDeclaration(found)) {
      return found.name?.getText() ?? "";
    }
    if (ts.isVariableDeclaration(found) || ts.isPropertyAssignment(found)) {
      const value = found.initializer;
      const isFunction = value && (ts.isArrowFunction(value) || ts.isFunctionExpression(value));
      const ofModule = ts.isSourceFile(found.parent?.parent?.parent ?? found);
      if (isFunction || ofModule) return found.name.getText();
    }
  }
  return "";
}

/** Gives the text of a module with a mutant's fault. */
export function withFault(text: string, { start, end, to }: Mutant): string {
  return text.slice(0, start) + to + text.slice(end);
}

/**
 * Gives the text of a module that calls `ran(number)` whenever a place runs.
 * @param module the URL of the module that exports `ran`
 * @param places the places by number
 */
export function withMarks(text: string, module: string, places: Map<number, Mutant>): string {
  const marks = [...places].flatMap(([number, { whole }]) => [
    { at: whole.end, inner: whole.start, text: ")" },
    { at: whole.start, inner: -1, text: `(mutantRan(${number}), ` },
  ]);
  // Ends come before beginnings at the same position, because the expressions are beside each other.
  const inOrder = marks.toSorted((a, b) => a.at - b.at || b.inner - a.inner);
  let marked = "";
  let done = 0;
  for (const mark of inOrder) {
    marked += text.slice(done, mark.at) + mark.text;
    done = mark.at;
  }
  // On the first line, so that the lines keep their numbers.
  return `import { ran as mutantRan } from "${module}"; ${marked}${text.slice(done)}`;
}
