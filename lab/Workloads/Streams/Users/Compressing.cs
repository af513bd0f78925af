using Tarn.Lab.Contenders.Streams;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Streams.Users;

/// <summary>A payload compressed into one stream, and from there decompressed into another.</summary>
internal readonly struct Compressing<TMaker, TCompression>(TMaker maker, byte[] payload) : IWork
    where TMaker : struct, IStreamMaker
    where TCompression : struct, ICompression
{
    public void Once()
    {
        using Stream compressed = maker.Create(payload.Length);
        using (Stream compressor = default(TCompression).Compress(compressed))
        {
            compressor.Write(payload, 0, payload.Length);
        }

        compressed.Position = 0;
        using Stream plain = maker.Create(payload.Length);
        using (Stream decompressor = default(TCompression).Decompress(compressed))
        {
            decompressor.CopyTo(plain);
        }

        if (plain.Length != payload.Length)
        {
            StreamRound.ThrowShort();
        }
    }
}
