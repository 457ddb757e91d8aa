/** What we use of WebAssembly, whose types only come with those of a browser. */
export interface LinearMemory {
  readonly buffer: ArrayBuffer
}

interface WebAssemblyApi {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { exports: unknown }
  /** What a trap is told as. */
  RuntimeError: new () => Error
}

const api = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly

export const Module = api.Module
export const Instance = api.Instance
export const RuntimeError = api.RuntimeError
