/** The same object with a few members of its own; everything else is asked of the first. */
export function withMembers<T extends object>(target: T, own: Partial<T>): T {
  return new Proxy(target, {
    get(_, key) {
      if (key in own) return own[key as keyof T]
      const member = Reflect.get(target, key, target)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}
