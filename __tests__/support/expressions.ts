/** Expressions of workflows, evaluated by GitHub's own package. */
import { data, Evaluator, Lexer, Parser } from '@actions/expressions'

/** The contexts by name, and what is not built in: functions without parameters, such as `always()`. */
export interface Contexts {
  readonly values: Readonly<Record<string, unknown>>
  readonly functions: Readonly<Record<string, () => boolean>>
}

/** Fills the expressions of a text; a text that is nothing but one expression has its value, of whatever type. */
export function fillExpressions(text: string, contexts: Contexts): unknown {
  const [, whole] = /^\$\{\{((?:(?!\}\}).)*)\}\}$/s.exec(text.trim()) ?? []
  if (whole !== undefined) return toPlain(evaluate(whole, contexts))
  return fillText(text, contexts)
}

/** Fills the expressions of a text that stays a text. */
export function fillText(text: string, contexts: Contexts): string {
  return text.replaceAll(/\$\{\{(.*?)\}\}/gs, (_all, expression: string) =>
    evaluate(expression, contexts).coerceString(),
  )
}

/** Whether a condition holds: what names no state needs all before it to have succeeded. */
export function holds(condition: string, contexts: Contexts): boolean {
  const bare = condition.replace(/^\s*\$\{\{(.*)\}\}\s*$/s, '$1')
  const isBound = /\b(?:success|failure|always|cancelled)\s*\(/.test(bare)
  const wanted = bare.trim() === '' ? 'success()' : isBound ? bare : `success() && (${bare})`
  return toPlain(evaluate(`!!(${wanted})`, contexts)) === true
}

/** Throws for what the platform would refuse, a context that is not there above all. */
function evaluate(text: string, { values, functions }: Contexts): data.ExpressionData {
  const own = Object.entries(functions).map(([name, call]) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(call()),
  }))
  const { tokens } = new Lexer(text).lex()
  const tree = new Parser(tokens, Object.keys(values), own).parse()
  const contexts = Object.entries(values).map(([key, value]) => ({ key, value: toData(value) }))
  const called = new Map(own.map(info => [info.name.toLowerCase(), info]))
  return new Evaluator(tree, new data.Dictionary(...contexts), called).evaluate()
}

function toData(value: unknown): data.ExpressionData {
  if (Array.isArray(value)) return new data.Array(...value.map(toData))
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).map(([key, field]) => ({ key, value: toData(field) }))
    return new data.Dictionary(...pairs)
  }
  return data.reviver('', value ?? null)
}

function toPlain(value: data.ExpressionData): unknown {
  const plain: unknown = JSON.parse(JSON.stringify(value, data.replacer))
  return plain
}
