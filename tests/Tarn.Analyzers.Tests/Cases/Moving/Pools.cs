using System.Buffers;
using Tarn;

// TARN103 is off by default.
static class SharedPoolsUsed
{
    static ArrayPool<byte> s_pool = ArrayPool<byte>.Shared; // expect TARN103

    static ArrayPool<T> Of<T>() => ArrayPool<T>.Shared; // expect TARN103

    static ArrayPool<byte> Mine() => BufferPool<byte>.Shared;

    static ArrayPool<byte> Created() => ArrayPool<byte>.Create();

    static string Name() => nameof(ArrayPool<byte>.Shared);
}
