using System.Runtime.CompilerServices;
using Microsoft.IO;

namespace Tarn.Lab.Contenders;

/// <summary>A stream of a manager, told the size.</summary>
internal readonly struct RecyclableSizedStream(RecyclableMemoryStreamManager manager) : IStreamMaker
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Stream Create(int size) => manager.GetStream(RecyclableManagers.Tag, size);
}
