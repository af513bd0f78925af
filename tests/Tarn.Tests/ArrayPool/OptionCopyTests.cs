using System.Reflection;

namespace Tarn.Tests.ArrayPool;

/// <summary>Options copy all settings of others, also those that a later version adds.</summary>
public sealed class OptionCopyTests
{
    /// <summary>A value for each type of a setting that is not its default.</summary>
    private static readonly Dictionary<Type, object> s_values = new()
    {
        [typeof(string)] = "copied",
        [typeof(bool)] = true,
        [typeof(int)] = 2,
        [typeof(long)] = 3L,
        [typeof(TimeSpan)] = TimeSpan.FromSeconds(4),
        [typeof(CancellationToken)] = new CancellationTokenSource().Token,
        [typeof(BufferChecks)] = BufferChecks.Returns,
        [typeof(BufferClearing)] = BufferClearing.References,
        [typeof(StreamClearing)] = StreamClearing.Background,
        [typeof(BufferBudget)] = new BufferBudget(5),
        [typeof(BufferPool<byte>)] = BufferPool<byte>.Create(),
        [typeof(NativeHeap)] = NativeHeap.Shared,
    };

    public static TheoryData<Type> Options =>
        [typeof(BufferPoolOptions), typeof(PooledMemoryStreamOptions), typeof(NativeHeapOptions)];

    [Theory]
    [MemberData(nameof(Options))]
    public void A_copy_has_every_setting(Type type)
    {
        PropertyInfo[] settings = type.GetProperties(BindingFlags.Instance | BindingFlags.Public);
        object usual = Activator.CreateInstance(type)!;
        foreach (PropertyInfo setting in settings)
        {
            object value = s_values[Nullable.GetUnderlyingType(setting.PropertyType) ?? setting.PropertyType];
            if (value is true && setting.GetValue(usual) is true)
            {
                value = false;
            }

            object given = Activator.CreateInstance(type)!;
            setting.SetValue(given, value);
            Assert.NotEqual(setting.GetValue(usual), setting.GetValue(given));
            object copy = Activator.CreateInstance(type, given)!;
            Assert.All(settings, each => Assert.Equal(each.GetValue(given), each.GetValue(copy)));
        }
    }

    [Fact]
    public void Options_are_copied_of_options()
    {
        Assert.Throws<ArgumentNullException>("other", () => new BufferPoolOptions(null!));
        Assert.Throws<ArgumentNullException>("other", () => new PooledMemoryStreamOptions(null!));
        Assert.Throws<ArgumentNullException>("other", () => new NativeHeapOptions(null!));
    }
}
