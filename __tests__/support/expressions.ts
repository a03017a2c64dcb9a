/** Evaluates workflow expressions with GitHub's own package. */
import { data, Evaluator, Lexer, Parser } from '@actions/expressions'

/** What an expression can read. */
export interface Contexts {
  readonly values: Readonly<Record<string, unknown>>
  /** The value of `success()`. */
  readonly hasSucceeded: boolean
}

/** Replaces each expression in a text by its value. */
export function fillText(text: string, contexts: Contexts): string {
  return text.replaceAll(/\$\{\{(.*?)\}\}/gs, (_all, expression: string) =>
    evaluateData(expression, contexts).coerceString(),
  )
}

/** Returns the value of a text that is a single expression, with or without `${{ }}`. */
export function evaluate(text: string, contexts: Contexts): unknown {
  const value: unknown = JSON.parse(
    JSON.stringify(evaluateData(unwrap(text), contexts), data.replacer),
  )
  return value
}

/** Evaluates an `if:`. Without a status function it also requires `success()`. */
export function holds(condition: string, contexts: Contexts): boolean {
  const text = unwrap(condition).trim()
  const hasStatus = /\b(?:success|failure|always|cancelled)\s*\(/.test(text)
  const whole = hasStatus ? text : `success() && (${text === '' ? 'true' : text})`
  return evaluate(`!!(${whole})`, contexts) === true
}

function unwrap(text: string): string {
  return text.replace(/^\s*\$\{\{(.*)\}\}\s*$/s, '$1')
}

/** Throws if the platform would reject the expression, above all for an unknown context. */
function evaluateData(text: string, { values, hasSucceeded }: Contexts): data.ExpressionData {
  const functions = Object.entries({ success: hasSucceeded, always: true }).map(
    ([name, result]) => ({
      name,
      minArgs: 0,
      maxArgs: 0,
      call: () => new data.BooleanData(result),
    }),
  )
  const tree = new Parser(new Lexer(text).lex().tokens, Object.keys(values), functions).parse()
  const contexts: unknown = JSON.parse(JSON.stringify(values), data.reviver)
  if (!(contexts instanceof data.Dictionary)) throw new Error('The contexts are not an object')
  const byName = new Map(functions.map(info => [info.name, info]))
  return new Evaluator(tree, contexts, byName).evaluate()
}
