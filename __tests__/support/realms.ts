/**
 * Import this for its effect in a test that runs code of ours within jest: jest gives a test file globals of its own, so
 * that an error which Node itself throws is no `instanceof Error` there. With this it is one, as in production.
 */
const ordinary = Function.prototype[Symbol.hasInstance]

Object.defineProperty(Error, Symbol.hasInstance, {
  configurable: true,
  value(this: unknown, candidate: unknown): boolean {
    const isNative = Object.prototype.toString.call(candidate) === '[object Error]'
    return (this === Error && isNative) || Reflect.apply(ordinary, this, [candidate])
  },
})
