using Tarn.Lab.Contenders.Streams;

namespace Tarn.Lab.Tests.Workloads;

/// <summary>Makes streams that keep nothing.</summary>
internal readonly struct ForgetfulMaker : IStreamMaker
{
    public Stream Create(int size) => Stream.Null;
}
