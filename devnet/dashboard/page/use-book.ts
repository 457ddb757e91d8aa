import { useEffect, useState } from 'preact/hooks'
import type { Artifact } from '../read-artifacts.ts'
import { ContractBook } from './contract-book.ts'
import type { Hex } from './json-types.ts'
import { useDevnet } from './use-live.ts'

let opened: Promise<ContractBook> | undefined

/** What is known of contracts; empty until the artifacts are there. */
export function useBook(): ContractBook {
  const [book, setBook] = useState(EMPTY)
  useEffect(() => {
    opened ??= fetch('/data/artifacts.json')
      .then((response) => response.json())
      .then((artifacts: Artifact[]) => new ContractBook(artifacts))
    void opened.then(setBook)
  }, [])
  return book
}

const EMPTY = new ContractBook([])

/** The name of what stands at an address, once it is known. */
export function useContractName(address: Hex | null | undefined): string | undefined {
  const book = useBook()
  const { node } = useDevnet()
  const [name, setName] = useState<string>()
  useEffect(() => {
    let isOver = false
    setName(undefined)
    if (!address) return
    const codeAt = (of: Hex) => node.call<Hex>('eth_getCode', [of, 'pending'])
    book.nameOf(address, codeAt).then(
      (found) => isOver || setName(found),
      () => {},
    )
    return () => {
      isOver = true
    }
  }, [address, book, node])
  return name
}
