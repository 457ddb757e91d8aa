// The package has it in this file: npm would install a second ox of 10 MB beside viem's, which asks for
// one version alone.
export { Attribution } from 'ox/erc8021'
