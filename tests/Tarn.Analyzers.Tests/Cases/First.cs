using System; using System.Buffers; using System.IO; using System.Threading.Tasks; using System.Collections.Generic;
class C {
 byte[]? _f; ArrayPool<byte> _p = ArrayPool<byte>.Create();
 void Simple(int n) { var a = ArrayPool<byte>.Shared.Rent(n);
  ArrayPool<byte>.Shared.Return(a); ArrayPool<byte>.Shared.Return(a); // expect TARN001
 }
 void BodyAndFinally(int n) { var a = ArrayPool<byte>.Shared.Rent(n);
  try { Work(a); ArrayPool<byte>.Shared.Return(a); }
  finally { ArrayPool<byte>.Shared.Return(a); // expect TARN001
  } }
 void Nulled(int n) { byte[]? a = ArrayPool<byte>.Shared.Rent(n);
  try { Work(a); ArrayPool<byte>.Shared.Return(a); a = null; }
  finally { if (a != null) ArrayPool<byte>.Shared.Return(a); } }
 void CatchAgain(int n) { var a = ArrayPool<byte>.Shared.Rent(n);
  try { Work(a); ArrayPool<byte>.Shared.Return(a); Work(null); }
  catch { ArrayPool<byte>.Shared.Return(a); throw; // expect TARN001
  } }
 void CatchOk(int n) { var a = ArrayPool<byte>.Shared.Rent(n);
  try { Work(a); } catch { ArrayPool<byte>.Shared.Return(a); throw; }
  ArrayPool<byte>.Shared.Return(a); }
 void ReRent(int n) { var a = ArrayPool<byte>.Shared.Rent(n);
  try { ArrayPool<byte>.Shared.Return(a); a = ArrayPool<byte>.Shared.Rent(n * 2); Work(a); }
  finally { ArrayPool<byte>.Shared.Return(a); // expect TARN001
  } }
 void Correlated(int n, bool x) { var a = ArrayPool<byte>.Shared.Rent(n);
  if (x) ArrayPool<byte>.Shared.Return(a); Work(null); if (!x) ArrayPool<byte>.Shared.Return(a); }
 void Opaque(int n, bool x, bool y) { var a = ArrayPool<byte>.Shared.Rent(n);
  if (x) ArrayPool<byte>.Shared.Return(a); Work(null); if (y) ArrayPool<byte>.Shared.Return(a); }
 void OneCond(int n, bool x) { var a = ArrayPool<byte>.Shared.Rent(n);
  if (x) { ArrayPool<byte>.Shared.Return(a); } ArrayPool<byte>.Shared.Return(a); // expect TARN001
 }
 void OneCondExit(int n, bool x) { var a = ArrayPool<byte>.Shared.Rent(n);
  if (x) { ArrayPool<byte>.Shared.Return(a); return; } ArrayPool<byte>.Shared.Return(a); }
 int Use(int n) { var a = ArrayPool<byte>.Shared.Rent(n); ArrayPool<byte>.Shared.Return(a); return a[0]; // expect TARN002
 }
 int UseSpan(int n) { var a = ArrayPool<byte>.Shared.Rent(n);
  Span<byte> s = a.AsSpan(0, n); ArrayPool<byte>.Shared.Return(a); return s[0]; // expect TARN002
 }
 int LenOk(int n) { var a = ArrayPool<byte>.Shared.Rent(n); ArrayPool<byte>.Shared.Return(a); return a.Length; }
 ArraySegment<byte> Escape(int n) { var a = ArrayPool<byte>.Shared.Rent(n); try { return new ArraySegment<byte>(a, 0, n); // expect TARN003
  } finally { ArrayPool<byte>.Shared.Return(a); } }
 Memory<byte> Owner(int n) { using var o = MemoryPool<byte>.Shared.Rent(n); return o.Memory; // expect TARN003
 }
 Task Un(Stream s, int n) { var a = ArrayPool<byte>.Shared.Rent(n); try { return s.WriteAsync(a, 0, n); // expect TARN006
  } finally { ArrayPool<byte>.Shared.Return(a); } }
 async Task Aw(Stream s, int n) { var a = ArrayPool<byte>.Shared.Rent(n);
  try { await s.WriteAsync(a, 0, n).ConfigureAwait(false); } finally { ArrayPool<byte>.Shared.Return(a); } }
 async Task Un2(Stream s, int n) { var a = ArrayPool<byte>.Shared.Rent(n);
  var t = s.WriteAsync(a, 0, n); ArrayPool<byte>.Shared.Return(a); // expect TARN006
  await t; }
 async Task Aw2(Stream s, int n) { var a = ArrayPool<byte>.Shared.Rent(n);
  var t = s.WriteAsync(a, 0, n); await t; ArrayPool<byte>.Shared.Return(a); }
 void Loop(int n) { var a = ArrayPool<byte>.Shared.Rent(n);
  for (int i = 0; i < n; i++) { ArrayPool<byte>.Shared.Return(a); // expect TARN001
  } }
 void LoopOk(int n) { for (int i = 0; i < n; i++) { var a = ArrayPool<byte>.Shared.Rent(n); Work(a); ArrayPool<byte>.Shared.Return(a); } }
 void LoopBreak(int n) { var a = ArrayPool<byte>.Shared.Rent(n);
  for (int i = 0; i < n; i++) { if (i == 5) { ArrayPool<byte>.Shared.Return(a); break; } } }
 void Grow(ref byte[] a, int n) { var b = ArrayPool<byte>.Shared.Rent(n);
  a.CopyTo(b, 0); var old = a; a = b; ArrayPool<byte>.Shared.Return(old); }
 void New(int n) { var a = new byte[n]; ArrayPool<byte>.Shared.Return(a); // expect TARN008
 }
 void Maybe(int n) { byte[]? r = null; Span<byte> s = n < 100 ? stackalloc byte[100] : (r = ArrayPool<byte>.Shared.Rent(n));
  s.Clear(); if (r != null) ArrayPool<byte>.Shared.Return(r); }
 void MaybeNew(int n) { byte[] r = n < 100 ? new byte[n] : ArrayPool<byte>.Shared.Rent(n);
  Work(r); if (n >= 100) ArrayPool<byte>.Shared.Return(r); }
 void FieldGrow(int n) { var old = _f;
  _f = ArrayPool<byte>.Shared.Rent(n); if (old is not null) { Array.Copy(old, _f, old.Length); ArrayPool<byte>.Shared.Return(old); } }
 void Disp() { if (_f is { } f) { _f = null; ArrayPool<byte>.Shared.Return(f); } }
 void Pools(int n) { var a = ArrayPool<byte>.Shared.Rent(n); _p.Return(a); }
 static void Work(byte[]? a) { }
}
