using Tarn.Lab.Contenders.Streams;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Streams;

/// <summary>A stream that is created, written with one call, read back with one call and disposed.</summary>
internal readonly struct OneStream<TMaker>(TMaker maker, int size) : IWork
    where TMaker : struct, IStreamMaker
{
    private readonly byte[] _source = new byte[size];
    private readonly byte[] _target = new byte[size];

    public void Once()
    {
        using Stream stream = maker.Create(_source.Length);
        stream.Write(_source, 0, _source.Length);
        stream.Position = 0;
        if (stream.Read(_target, 0, _target.Length) != _target.Length)
        {
            StreamRound.ThrowShort();
        }
    }
}
