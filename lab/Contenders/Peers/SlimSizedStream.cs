using System.Runtime.CompilerServices;
using KZDev.PerfUtils;

namespace Tarn.Lab.Contenders;

/// <summary>A stream of the one pool that its process has, told the size.</summary>
internal readonly struct SlimSizedStream(MemoryStreamSlimOptions options) : IStreamMaker
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Stream Create(int size) => MemoryStreamSlim.Create(size, options);
}
