import { Attribution } from 'ox/erc8021'
import { concat } from 'viem'
import type { AttributionCodec } from '#mocks/index'

/** Builder codes as ox writes and reads them: what dapps use. */
export const oxAttribution: AttributionCodec = {
  append: (data, codes) => concat([data, Attribution.toDataSuffix({ codes: [...codes] })]),
  read(data) {
    const found = Attribution.fromData(data)
    return found && 'codes' in found ? found.codes : undefined
  },
}
