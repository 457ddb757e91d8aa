export { makeMistake } from './callers/make-mistake.ts'
export {
  type BootedEnclave,
  type EnclaveBoot,
  type LaunchEnclave,
  SECURITY_MODULE,
  VSOCK,
} from './enclave/enclave-boot.ts'
export {
  type EnclaveScript,
  type ScriptedEnclave,
  scriptedDocument,
  startScriptedEnclave,
} from './enclave/scripted-enclave.ts'
export { type ScriptedRegistry, startScriptedRegistry } from './enclave/scripted-registry.ts'
export {
  type ModuleAnswer,
  type ScriptedSecurityModule,
  startScriptedSecurityModule,
  workingModule,
} from './enclave/scripted-security-module.ts'
export { serveEnclave, type WireHabits } from './enclave/serve-enclave.ts'
export { startEnclaveProxy } from './enclave/start-enclave-proxy.ts'
export type { HostFlags, HostProcess, LaunchHost } from './host/host-process.ts'
export { startRequestCounter } from './host/start-request-counter.ts'
export { SHAPE_MUTANTS } from './shapes/shape-mutants.ts'
export type { AttributionCodec } from './zoo/attribution-codec.ts'
export { GENERATED_MUTANTS } from './zoo/generated-mutants.ts'
export type {
  Forward,
  HttpAnswer,
  HttpExchange,
  Mutant,
  MutantContext,
  MutantHooks,
  RpcCall,
} from './zoo/mutant.ts'
export {
  type MutantProxy,
  type MutantProxyOptions,
  startMutantProxy,
} from './zoo/mutant-proxy.ts'
export { jsonAnswer, mutateRpcBody, parseCall, parseObject } from './zoo/mutate-rpc-body.ts'
export { startPlainEndpoint } from './zoo/start-plain-endpoint.ts'
export { ZOO } from './zoo/zoo.ts'
