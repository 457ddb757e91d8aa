/** The page's style sheet, in the colours of the conformance report; contrast of 4.5 or more. */
export const AUDIT_STYLE = `
:root {
  color-scheme: light dark;
  --bg: #ffffff; --line: #d9dce3; --text: #1b1f27; --soft: #545c6b; --link: #0b57c4; --code: #eef0f4;
  --pass: #17703a; --fail: #b3261e; --warn: #8a5300;
  --f0: #dbe8ff; --f1: #dff3e4; --f2: #fdeccf; --f3: #f6dff0; --f4: #d9f1f4; --f5: #e6defa;
}
@media (prefers-color-scheme: dark) {
  :root {
    --bg: #12151b; --line: #2f3541; --text: #e6e9ef; --soft: #a3adbd; --link: #86b6ff; --code: #20252f;
    --pass: #67d391; --fail: #ff8a80; --warn: #f2b357;
    --f0: #1d3358; --f1: #17402a; --f2: #4a3512; --f3: #4a2140; --f4: #14404a; --f5: #33264f;
  }
}
* { box-sizing: border-box; }
html { background: var(--bg); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 78rem; margin: 0 auto; padding: 1.2rem 1.6rem 4rem; }
h1 { font-size: 1.3rem; margin: 0; }
h2 { font-size: 1.15rem; margin: 2.4rem 0 .4rem; border-top: 1px solid var(--line); padding-top: 1rem; }
h3 { font-size: 1rem; margin: 1.4rem 0 .4rem; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
code, pre { font: 13px/1.6 ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
pre { background: var(--code); border-radius: 6px; padding: .6rem .8rem; margin: .3rem 0; overflow: auto; }
.meta, .at { color: var(--soft); }
.note { border-left: 3px solid var(--warn); padding-left: .8rem; }
.contents { list-style: none; padding: 0; overflow-wrap: anywhere; }
.v-pass { color: var(--pass); }
.v-fail { color: var(--fail); }
.v-unknown { color: var(--warn); }
h2 span { font-size: .9rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .1rem 1rem; }
dt { color: var(--soft); }
dd { margin: 0; }
table { border-collapse: collapse; min-width: min(100%, 40rem); font-size: .93rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .9rem .3rem 0; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); }
tbody th { font-weight: 400; white-space: nowrap; }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
.swatch { display: inline-block; min-width: 1.6rem; text-align: center; border-radius: 4px; font-size: .85rem; }
.f0 { background: var(--f0); } .f1 { background: var(--f1); } .f2 { background: var(--f2); }
.f3 { background: var(--f3); } .f4 { background: var(--f4); } .f5 { background: var(--f5); }
`
