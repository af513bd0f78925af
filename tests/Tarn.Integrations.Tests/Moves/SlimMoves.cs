namespace Tarn.Integrations.Tests.Moves;

public sealed class SlimMoves
{
    [Fact]
    public void The_stream_takes_its_options_from_an_object() => Assert.Equal([1, 2, 3], Copy(new MemoryStream([1, 2, 3])));

    private static byte[] Copy(Stream source)
    {
        #region MemoryStreamSlim, after
        PooledMemoryStreamOptions options = new() { Clearing = StreamClearing.OnReturn };
        using PooledMemoryStream stream = new(options);
        source.CopyTo(stream);
        byte[] copy = stream.ToArray();
        #endregion

        return copy;
    }
}
