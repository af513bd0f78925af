using System.Runtime.CompilerServices;
using KZDev.PerfUtils;

namespace Tarn.Lab.Contenders.Streams;

/// <summary>A stream of the process's only pool, which receives the size.</summary>
internal readonly struct SlimSizedStream(MemoryStreamSlimOptions options) : IStreamMaker
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Stream Create(int size) => MemoryStreamSlim.Create(size, options);
}

/// <summary>A stream of the process's only pool.</summary>
internal readonly struct SlimStream(MemoryStreamSlimOptions options) : IStreamMaker
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Stream Create(int size) => MemoryStreamSlim.Create(options);
}
