using Newtonsoft.Json;

namespace Tarn.Integrations.Tests.Recipes;

public sealed class NewtonsoftRecipes
{
    [Fact]
    public void Json_takes_its_characters_from_the_pool()
    {
        Order order = Order.Sample;
        long before = BufferPool<char>.Shared.GetStatistics().Rented;

        #region Newtonsoft.Json
        JsonSerializer serializer = JsonSerializer.CreateDefault();
        using PooledMemoryStream message = new();
        using (JsonTextWriter writer = new(new StreamWriter(message, leaveOpen: true)) { ArrayPool = JsonCharacters.Pool })
        {
            serializer.Serialize(writer, order);
        }

        message.Position = 0;
        using JsonTextReader reader = new(new StreamReader(message)) { ArrayPool = JsonCharacters.Pool };
        Order? copy = serializer.Deserialize<Order>(reader);
        #endregion

        order.AssertSame(copy);
        Assert.True(BufferPool<char>.Shared.GetStatistics().Rented > before);
    }

    #region Newtonsoft.Json, adapter
    private sealed class JsonCharacters : IArrayPool<char>
    {
        internal static JsonCharacters Pool { get; } = new();

        public char[] Rent(int minimumLength) => BufferPool<char>.Shared.Rent(minimumLength);

        public void Return(char[]? array)
        {
            if (array is not null)
            {
                BufferPool<char>.Shared.Return(array);
            }
        }
    }
    #endregion
}
