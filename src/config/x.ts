import { Type, compile } from "../core/schema.ts";
const S = Type.Object({
 a: Type.Refine(Type.Number({minimum:0, maximum: 10}), (v) => v !== 3, () => "must not be 3"),
 e: Type.Optional(Type.Enum(["x","y"])),
 t: Type.Optional(Type.Union([Type.Integer(), Type.Refine(Type.String(), (s)=>s.startsWith("2"), ()=>"must be date")])),
 r: Type.Optional(Type.Record(Type.String(), Type.String({minLength:1}))),
 p: Type.Optional(Type.String({pattern: "^[a-z]$"})),
 l: Type.Optional(Type.Array(Type.Object({q: Type.Integer(), w: Type.Integer()},{additionalProperties:false}), {uniqueItems: true, minItems: 1})),
 u: Type.Optional(Type.Record(Type.String(), Type.Unsafe<number>({}))),
},{additionalProperties:false, default: {}});
const c = compile(S);
for (const v of [{a:1},{a:3},{a:NaN},{a:Infinity},{a:1,e:"z"},{a:1,t:"x"},{a:1,t:null},{a:1,r:{"x.y/z~":1,"":""}},{a:1,p:"9"},{a:1,l:[{zz:1,yy:2}]},{a:1,l:[]},{b:1,c:2},null,{a:1,l:[{q:1,w:1},{q:1,w:1}]}, {a:1,u:{x:[1],y:null}}, JSON.parse('{"a":1,"__proto__":1}')]) console.log(JSON.stringify(v), c.is(v), JSON.stringify(c.faults(v)));
console.log(JSON.stringify(S), Object.keys(S));
