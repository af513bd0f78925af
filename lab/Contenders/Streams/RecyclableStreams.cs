using System.Runtime.CompilerServices;
using Microsoft.IO;

namespace Tarn.Lab.Contenders.Streams;

/// <summary>A stream of a manager, which receives the size.</summary>
internal readonly struct RecyclableSizedStream(RecyclableMemoryStreamManager manager) : IStreamMaker
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Stream Create(int size) => manager.GetStream(RecyclableManagers.Tag, size);
}

/// <summary>A stream of a manager, with the tag that the MemoryStreamSlim document gives it.</summary>
internal readonly struct RecyclableStream(RecyclableMemoryStreamManager manager) : IStreamMaker
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Stream Create(int size) => manager.GetStream(RecyclableManagers.Tag);
}
