/** Makes errors of Node `instanceof Error` in jest, as in production. Jest gives each test file its own globals. */
const ordinary = Function.prototype[Symbol.hasInstance]

Object.defineProperty(Error, Symbol.hasInstance, {
  configurable: true,
  value(this: unknown, candidate: unknown): boolean {
    const isNative = Object.prototype.toString.call(candidate) === '[object Error]'
    return (this === Error && isNative) || Reflect.apply(ordinary, this, [candidate])
  },
})
