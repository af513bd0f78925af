using System.Buffers;
using Google.Protobuf;
using Google.Protobuf.WellKnownTypes;

namespace Tarn.Integrations.Tests.Recipes;

public sealed class ProtobufRecipes
{
    [Fact]
    public void Messages_are_written_and_parsed_without_a_copy()
    {
        Struct order = new();
        order.Fields["customer"] = Value.ForString("Åsa");
        order.Fields["articles"] = Value.ForList([.. Enumerable.Range(0, 3000).Select(static id => Value.ForNumber(id))]);

        #region Google.Protobuf
        using PooledMemoryStream wire = new();
        order.WriteTo((IBufferWriter<byte>)wire);
        Struct copy = Struct.Parser.ParseFrom(wire.GetReadOnlySequence());
        #endregion

        Assert.Equal(order, copy);
        Assert.Equal(order.CalculateSize(), wire.Length);
    }
}
