/** The small faults that a mutant can have: where in a module, and what stands there instead. @module */
import ts from "typescript";

/** A change of one place in a module. */
export interface Mutant {
  /** Relative to the project, such as `server/oauth/keys.ts`. */
  path: string;
  line: number;
  /** The place in the text, in UTF-16 code units. */
  start: number;
  end: number;
  /** The text that takes the place. */
  to: string;
  /** The fault in words, such as `< to <=`. */
  fault: string;
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

  function add(node: ts.Node, to: string, fault: string): void {
    const start = node.getStart(source);
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    mutants.push({ path, line, start, end: node.getEnd(), to, fault });
  }

  function visit(node: ts.Node): void {
    // Types and imports leave nothing to run.
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) {
      const to = OPERATORS.get(node.operatorToken.kind);
      if (to) add(node.operatorToken, to, `${node.operatorToken.getText(source)} to ${to}`);
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
      add(node, `(${node.getText(source)} + 1)`, `${node.getText(source)} plus 1`);
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
      add(node, ";", "no call");
    }
    ts.forEachChild(node, visit);
  }

  visit(source);
  return mutants;
}

/** Gives the text of a module with a mutant's fault. */
export function withFault(text: string, { start, end, to }: Mutant): string {
  return text.slice(0, start) + to + text.slice(end);
}
