// What the precompiles are made of. The package has it in this one file: the whole of @ethereumjs/evm
// with what it asks for would be 9 MB to install.
export { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
export {
  createEVM,
  EVMError,
  type ExecResult,
  getActivePrecompiles,
  type PrecompileInput,
} from '@ethereumjs/evm'
