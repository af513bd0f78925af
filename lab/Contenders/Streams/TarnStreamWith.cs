using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders;

/// <summary>Ours with options: native memory, several cores, zeroing.</summary>
internal readonly struct TarnStreamWith(PooledMemoryStreamOptions options) : IStreamMaker
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Stream Create(int size) => new PooledMemoryStream(options);
}
