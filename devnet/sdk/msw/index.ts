export { type MockRollbed, type MockRollbedOptions, mockRollbed } from './mock-rollbed.ts'
