namespace Tarn.SharedMemory.Tests.Carriers;

/// <content>Files that once were regions, or say they are.</content>
public abstract unsafe partial class RegionContract
{
    [SkippableFact]
    public void Another_beginning_is_named_in_the_message()
    {
        MakeKept("a", 100);
        ChangeHeader("a", static (ref header) => header.Magic = 0x1234_5678_9ABC_DEF0);
        string message = AssertInvalid("a");
        Assert.Contains("not a region of Tarn: 4196 bytes that begin with 0x123456789abcdef0", message, StringComparison.Ordinal);
        Assert.Contains(
            "not deleted", Assert.Throws<InvalidDataException>(() => SharedRegion.Delete(Names, "a")).Message, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Another_version_is_named_with_its_number_and_can_be_deleted()
    {
        MakeKept("a", 100);
        ChangeHeader("a", static (ref header) => header.Version = 7);
        string message = AssertInvalid("a");
        Assert.Contains("version 7", message, StringComparison.Ordinal);
        Assert.Contains("supports version 2", message, StringComparison.Ordinal);
        Assert.True(SharedRegion.Delete(Names, "a"));
    }

    [SkippableTheory]
    [InlineData(0L)]
    [InlineData(-1L)]
    [InlineData(long.MinValue)]
    [InlineData(long.MaxValue)]
    [InlineData(long.MaxValue - 4095)]
    [InlineData(long.MaxValue - 4096)]
    [InlineData(99L)]
    [InlineData(101L)]
    public void A_damaged_size_is_reported_and_the_name_can_be_deleted(long size)
    {
        MakeKept("a", 100);
        ChangeHeader("a", (ref header) => header.Size = size);
        Assert.Contains("damaged", AssertInvalid("a"), StringComparison.Ordinal);
        Assert.True(SharedRegion.Delete(Names, "a"));
    }

    [SkippableTheory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(6)]
    [InlineData(63)]
    [InlineData(64)]
    [InlineData(4096)]
    [InlineData(4195)]
    [InlineData(4197)]
    [InlineData(100_000)]
    public void A_file_of_another_length_is_reported_with_both_lengths(int length)
    {
        MakeKept("a", 100);
        using (FileStream file = new(_directory.FileOf("a"), FileMode.Open))
        {
            file.SetLength(length);
        }

        Assert.Contains($"{length} bytes", AssertInvalid("a"), StringComparison.Ordinal);
    }

    [SkippableFact]
    public void An_unknown_kind_is_named_with_its_number()
    {
        MakeKept("a", 100);
        ChangeHeader("a", static (ref header) => header.Kind = (RegionKind)77);
        Assert.Contains("77", Assert.Throws<InvalidDataException>(() => Open("a")).Message, StringComparison.Ordinal);
        Assert.Equal(["a"], SharedRegion.List(Names).Select(static region => region.Name));
        Assert.True(SharedRegion.Delete(Names, "a"));
    }

    /// <summary>Whatever a header contains, the region opens as it is or is refused, and no other process is harmed.</summary>
    [SkippableFact]
    public void Any_damage_to_a_header_is_refused_or_does_no_harm()
    {
        const int Size = 5000;
        int headerBytes = sizeof(RegionHeader);
        int seed = Random.Shared.Next();
        Random random = new(seed);
        MakeKept("a", Size);
        using SharedRegion beside = Create("beside", 10);
        byte[] valid = File.ReadAllBytes(_directory.FileOf("a"));
        int opened = 0;
        for (int round = 0; round < 1500; round++)
        {
            byte[] damaged = [.. valid];
            for (int change = random.Next(1, 4); change > 0; change--)
            {
                damaged[random.Next(headerBytes)] = random.Next(3) switch
                {
                    0 => (byte)random.Next(256),
                    1 => 0xFF,
                    _ => 0,
                };
            }

            int length = random.Next(10) == 0 ? random.Next(damaged.Length) : damaged.Length;
            File.WriteAllBytes(_directory.FileOf("a"), damaged[..length]);
            try
            {
                using SharedRegion region = Open("a");
                Assert.Equal(Size, region.Size);
                region.GetSpan(0, Size).Fill(1);
                opened++;
            }
            catch (InvalidDataException)
            {
            }

            int listed = SharedRegion.List(Names).Count;
            Assert.True(listed is 1 or 2, $"Seed {seed}, round {round}: {listed} are listed.");
            Assert.ThrowsAny<IOException>(() => Create("a", 1));
        }

        Assert.InRange(opened, 1, 1499);
        SharedRegion.DeleteAbandoned(Names);
        Assert.Contains("tarn.beside", _directory.Files);
    }

    private void MakeKept(string name, int size) => Create(name, size, new SharedRegionOptions { DeleteOnDispose = false }).Dispose();

    /// <summary>It is not opened, and not listed, and DeleteAbandoned knows nothing of it; the message names it.</summary>
    private string AssertInvalid(string name)
    {
        string message = Assert.Throws<InvalidDataException>(() => Open(name)).Message;
        Assert.Contains($"\"{name}\"", message, StringComparison.Ordinal);
        Assert.Equal(
            message, Assert.Throws<InvalidDataException>(() => SharedRegion.CreateOrOpen(Names, name, 100, options: null)).Message);
        Assert.Throws<IOException>(() => Create(name, 100));
        Assert.DoesNotContain(SharedRegion.List(Names), region => region.Name == name);
        Assert.Equal(0, SharedRegion.DeleteAbandoned(Names));
        Assert.Contains("tarn." + name, _directory.Files);
        return message;
    }
}
