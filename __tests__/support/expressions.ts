/** Expressions of workflows, as far as our examples use them: contexts, literals, `!`, `==`, `!=`, `&&`, `||`, calls. */

/** The contexts by name; functions are called with the values of their arguments. */
export interface Contexts {
  readonly values: Readonly<Record<string, unknown>>
  readonly functions: Readonly<Record<string, (...parameters: readonly unknown[]) => unknown>>
}

const tokens =
  /\s*(?:('(?:[^']|'')*')|(\d+(?:\.\d+)?)|(&&|\|\||==|!=|[!()[\],.])|([A-Za-z_][\w-]*))/y

/** Evaluates one expression without its braces; throws for what it does not know, a context above all. */
export function evaluateExpression(text: string, contexts: Contexts): unknown {
  return new Parser(text, contexts).parse()
}

/** Fills the expressions of a text; a text that is nothing but one expression has its value, of whatever type. */
export function fillExpressions(text: string, contexts: Contexts): unknown {
  const [, whole] = /^\$\{\{((?:(?!\}\}).)*)\}\}$/s.exec(text.trim()) ?? []
  if (whole !== undefined) return evaluateExpression(whole, contexts)
  return text.replaceAll(/\$\{\{(.*?)\}\}/gs, (_all, expression: string) =>
    toText(evaluateExpression(expression, contexts)),
  )
}

/** A value as the runner writes it into a text. */
export function toText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'object') return Array.isArray(value) ? 'Array' : 'Object'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Whether a condition holds. */
export function isTrue(value: unknown): boolean {
  return ![false, 0, '', null, undefined].some(falsy => falsy === value)
}

class Parser {
  readonly #words: readonly string[]
  readonly #contexts: Contexts
  #at = 0

  constructor(text: string, contexts: Contexts) {
    this.#words = split(text)
    this.#contexts = contexts
  }

  parse(): unknown {
    const value = this.#or()
    if (this.#at < this.#words.length) throw new Error(`Unexpected "${this.#peek()}"`)
    return value
  }

  #or(): unknown {
    let value = this.#and()
    while (this.#take('||')) {
      const other = this.#and()
      value = isTrue(value) ? value : other
    }
    return value
  }

  #and(): unknown {
    let value = this.#equal()
    while (this.#take('&&')) {
      const other = this.#equal()
      value = isTrue(value) ? other : value
    }
    return value
  }

  #equal(): unknown {
    let value = this.#not()
    for (;;) {
      if (this.#take('==')) value = toText(value) === toText(this.#not())
      else if (this.#take('!=')) value = toText(value) !== toText(this.#not())
      else return value
    }
  }

  #not(): unknown {
    return this.#take('!') ? !isTrue(this.#not()) : this.#primary()
  }

  #primary(): unknown {
    const word = this.#next()
    if (word === '(') {
      const value = this.#or()
      this.#expect(')')
      return value
    }
    if (word.startsWith("'")) return word.slice(1, -1).replaceAll("''", "'")
    if (/^\d/.test(word)) return Number(word)
    if (word === 'true' || word === 'false') return word === 'true'
    if (word === 'null') return null
    return this.#take('(') ? this.#call(word) : this.#path(word)
  }

  #call(name: string): unknown {
    const parameters: unknown[] = []
    while (!this.#take(')')) {
      parameters.push(this.#or())
      this.#take(',')
    }
    const called = this.#contexts.functions[name]
    if (called === undefined) throw new Error(`Unknown function "${name}"`)
    return called(...parameters)
  }

  #path(root: string): unknown {
    if (!(root in this.#contexts.values)) throw new Error(`Unknown context "${root}"`)
    let value = this.#contexts.values[root]
    for (;;) {
      if (this.#take('.')) value = fieldOf(value, this.#next())
      else if (this.#take('[')) {
        value = fieldOf(value, toText(this.#or()))
        this.#expect(']')
      } else return value
    }
  }

  #peek(): string {
    return this.#words[this.#at] ?? ''
  }

  #next(): string {
    const word = this.#peek()
    if (word === '') throw new Error('Unexpected end of an expression')
    this.#at += 1
    return word
  }

  #take(word: string): boolean {
    if (this.#peek() !== word) return false
    this.#at += 1
    return true
  }

  #expect(word: string): void {
    if (!this.#take(word)) throw new Error(`Expected "${word}", not "${this.#peek()}"`)
  }
}

function split(text: string): readonly string[] {
  const words: string[] = []
  let at = 0
  while (text.slice(at).trim() !== '') {
    tokens.lastIndex = at
    const found = tokens.exec(text)
    if (found === null) throw new Error(`Unexpected "${text.slice(at)}"`)
    words.push(found[0].trim())
    at = tokens.lastIndex
  }
  return words
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return null
  const [, field] = Object.entries(value).find(([key]) => key === name) ?? []
  return field ?? null
}
