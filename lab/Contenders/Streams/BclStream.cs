using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders;

/// <summary>The stream of the BCL.</summary>
internal readonly struct BclStream : IStreamMaker
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Stream Create(int size) => new MemoryStream();
}
