import type { ConformanceCase } from './conformance-case.ts'

export const CASES: readonly ConformanceCase[] = []
